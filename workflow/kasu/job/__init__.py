"""What every job needs: a log, workers, seeds, GPUs, and the hashes of its code and inputs."""
