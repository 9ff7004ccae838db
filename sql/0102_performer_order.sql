-- Names may have more bytes than an entry of an index; there are few performers, and sorting them is quick.
drop index performer_order;
