"""What the ingest flow does in one place each.

alone.py      one process at a time
sources.py    find files at places, read and hash them
metadata.py   what the user says about documents
plan.py       what has to be done: compare files with the warehouse
pool.py       worker processes, bounded in time and memory
worker.py     the program of such a process; drawing.py and looks.py what it draws
chunk.py      what is done with each document
vision.py     ask the vision model
looking.py    put in place what it saw
summary.py    what an ingest did, file by file
"""
