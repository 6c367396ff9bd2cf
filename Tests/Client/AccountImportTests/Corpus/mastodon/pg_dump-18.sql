--
-- PostgreSQL database dump
--

\restrict ifwcteuHf6oa60s8lSFeMDfrUq4HK33REpLbNkGJgdgTmBkhOW1fe2cfl0vcSbM

-- Dumped from database version 18.1
-- Dumped by pg_dump version 18.1

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.users (id, email, encrypted_password, created_at, confirmed_at, approved, disabled) FROM stdin;
1	ann@example.org	$2a$04$8Ir4n6TrUNuD6hJO7hHc9evHFCxqJG6l2WBHORtOazV1PNKzBAELW	2024-05-01 09:01:00.122987	2024-05-01 09:02:00	t	f
2	bob@example.org	$2a$04$8Ir4n6TrUNuD6hJO7hHc9evHFCxqJG6l2WBHORtOazV1PNKzBAELW	2024-05-01 09:01:00	\N	t	f
3	carl@example.org	$2a$04$8Ir4n6TrUNuD6hJO7hHc9evHFCxqJG6l2WBHORtOazV1PNKzBAELW	2024-05-01 09:01:00	2024-05-01 09:02:00	f	f
4	dan@example.org	$2a$04$8Ir4n6TrUNuD6hJO7hHc9evHFCxqJG6l2WBHORtOazV1PNKzBAELW	2024-05-01 09:01:00	2024-05-01 09:02:00	t	t
\.


--
-- Name: users_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.users_id_seq', 4, true);


--
-- PostgreSQL database dump complete
--

\unrestrict ifwcteuHf6oa60s8lSFeMDfrUq4HK33REpLbNkGJgdgTmBkhOW1fe2cfl0vcSbM

