-- Runs that the server's operator names by their id alone. Writers of runs wait while it is built.
create index run_by_id on run (id);
