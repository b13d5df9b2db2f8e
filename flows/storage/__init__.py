"""How the warehouse keeps tables: files, parts, commits, and the views over them.

files.py     whole files on a disk or at an fsspec URL, written atomically
parts.py     the one door to Parquet: a part is one file of one table
commits.py   several parts committed as one, and reading only what is committed
views.py     the SQL views of tables and of sql/views/
"""
