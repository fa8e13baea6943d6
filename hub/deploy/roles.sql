-- The roles of a hub and its database, for psql as the superuser, once. None of them is a superuser or may make
-- roles. $OWNER_PASSWORD and $SERVICE_PASSWORD are their passwords.
\set ON_ERROR_STOP on
\getenv owner OWNER_PASSWORD
\getenv service SERVICE_PASSWORD
CREATE ROLE memctl_hub NOLOGIN;
CREATE ROLE memctl_hub_admin NOLOGIN; -- of administrators (memctl hub admin)
CREATE ROLE hub_owner LOGIN PASSWORD :'owner' IN ROLE memctl_hub;
CREATE ROLE hub_service LOGIN NOINHERIT PASSWORD :'service' IN ROLE memctl_hub, memctl_hub_admin;
CREATE DATABASE hub OWNER hub_owner ENCODING 'UTF8' TEMPLATE template0;
