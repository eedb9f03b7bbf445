-- name: make
create table said (n int not null)

-- name: add
insert into said select * from unnest(:numbers::int[])

-- name: all
select n from said order by n
