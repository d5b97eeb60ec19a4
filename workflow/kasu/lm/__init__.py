"""Language models: fetched from a hub or trained here; what they encode, fill in and score."""

import os

# Here, for the library of the hub reads them once, whichever module imports it first. `kasu.lm.hub`
# fetches by itself and does not ask them.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

PRECISIONS = ("float32", "bfloat16")  # of products, in training and in scoring
