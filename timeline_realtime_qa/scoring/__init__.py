"""What a metric is made of: checked rows, options, intervals and the signature."""
