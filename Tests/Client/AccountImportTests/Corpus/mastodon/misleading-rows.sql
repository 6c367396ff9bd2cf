--
-- PostgreSQL database dump
--

COPY public.notes (body, owner) FROM stdin;
COPY public.users (id, email, encrypted_password, confirmed_at) FROM stdin;	ann
INSERT INTO public.users VALUES (1)	ann
\.

COPY public.users (id, email, encrypted_password, confirmed_at) FROM stdin;
1	ann@example.org	$2a$04$8Ir4n6TrUNuD6hJO7hHc9evHFCxqJG6l2WBHORtOazV1PNKzBAELW	2024-05-01 09:02:00
\.
