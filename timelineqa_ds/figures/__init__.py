"""What lifelogs and questions are like, as figures beside the paper's and as pictures."""
