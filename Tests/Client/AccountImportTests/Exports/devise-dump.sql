--
-- PostgreSQL database dump
--

SET statement_timeout = 0;

COPY public.users (id, email, encrypted_password, reset_password_token, confirmed_at, created_at, updated_at) FROM stdin;
1	Ann@example.org	$2a$04$8Ir4n6TrUNuD6hJO7hHc9evHFCxqJG6l2WBHORtOazV1PNKzBAELW	\N	2024-05-01 09:02:00	2024-05-01 09:01:00.122987	2024-05-01 09:01:00.122987
2	bob@example.org	$2a$04$h0HlQ.ltnyxxabg3fcRuJOvLFweMq79WH5BLSpUJawZ854tqTghaW	\N	2024-05-01 09:02:00	2024-05-01 09:01:00	2024-05-01 09:01:00
3	eve@example.org	\N	\N	2024-05-01 09:02:00	2024-05-01 09:01:00	2024-05-01 09:01:00
4	Carl@example.org	$2a$04$UBT8918dLGQBncYDw.RlgOEifJJjoXNBC9ehG/BnAtwbbc2WOTrxS	\N	2024-05-01 09:02:00	2024-05-01 09:01:00	2024-05-01 09:01:00
5	carl@EXAMPLE.ORG	$2a$04$UBT8918dLGQBncYDw.RlgOEifJJjoXNBC9ehG/BnAtwbbc2WOTrxS	\N	2024-05-01 09:02:00	2024-05-01 09:01:00	2024-05-01 09:01:00
6	fay@example.org	$2a$04$8Ir4n6TrUNuD6hJO7hHc9evHFCxqJG6l2WBHORtOazV1PNKzBAELW	\N	\N	2024-05-01 09:01:00	2024-05-01 09:01:00
\.

--
-- PostgreSQL database dump complete
--
