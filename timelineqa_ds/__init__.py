"""TimelineQA (Tan et al. 2023, arXiv 2306.01069). Importing it registers our names with
`datasets` and `evaluate`.
"""

from timeline_realtime_qa import register


register()
