"""A folder of Parquet files that is a Hub repository: made by jobs, described by cards, and published."""
