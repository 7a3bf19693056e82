"""What lifelogs and questions promise, counted by code that shares nothing with how they are made."""
