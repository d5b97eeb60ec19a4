"""What stands in the place of a language if a figure is not of one."""

OUTSIDE = "languages outside the paper"
PART = "part of the languages"
RUN = "of the systems run"
