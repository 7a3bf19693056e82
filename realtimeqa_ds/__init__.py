"""RealTime QA (Kasai et al. 2022, arXiv 2207.13332). Importing it registers our names with
`datasets` and `evaluate`.
"""

from timeline_realtime_qa import register


register()
