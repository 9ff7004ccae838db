-- One theme for each day of the trip.

create table daily_theme (
  id uuid primary key,
  title text not null,
  info text not null,
  -- Name of a stored image.
  image text,
  -- 0 is embarkation day; days before it are negative.
  cruise_day int not null constraint daily_theme_day unique
);
