"""Who and when: random numbers, lives, personas, company, calendar, and the values drawn for them."""
