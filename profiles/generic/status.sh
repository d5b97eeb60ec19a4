#!/bin/sh
# What Slurm says of a job: running, success or failed. While its controller is away, jobs run on.
state=$(squeue --noheader --states=all --format=%T --jobs="$1" 2>/dev/null) ||
    scontrol ping >/dev/null 2>&1 || state=RUNNING
case $state in
COMPLETED) echo success ;;
PENDING | CONFIGURING | RUNNING | COMPLETING | SUSPENDED | REQUEUED) echo running ;;
*) echo failed ;;
esac
