"""Language models: fetched from a hub or trained here; what they encode, fill in and score."""

import os

# Set here because huggingface_hub reads them once, when it is first imported. `kasu.lm.models.hub`
# fetches by itself and ignores them.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

PRECISIONS = ("float32", "bfloat16")  # of products, in training and in scoring
