--
-- PostgreSQL database dump
--

-- Dumped from database version 17.6
-- Dumped by pg_dump version 17.7

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;

--
-- Data for Name: audit_log_entries; Type: TABLE DATA; Schema: auth; Owner: supabase_auth_admin
--

COPY auth.audit_log_entries (instance_id, id, payload, created_at, ip_address) FROM stdin;
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: auth; Owner: supabase_auth_admin
--

COPY auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at, confirmation_token, confirmation_sent_at, recovery_token, recovery_sent_at, email_change_token_new, email_change, email_change_sent_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, is_super_admin, created_at, updated_at, phone, phone_confirmed_at, phone_change, phone_change_token, phone_change_sent_at, email_change_token_current, email_change_confirm_status, banned_until, reauthentication_token, reauthentication_sent_at, is_sso_user, deleted_at, is_anonymous) FROM stdin;
00000000-0000-0000-0000-000000000000	00001a2b-5b1e-4c52-9d0e-2f6f3a5c1a2b	authenticated	authenticated	ann@example.org	$2a$04$N2H9HbccXtc5OUzLjgpd2.diioVjQNa.qvGweuc0tUwp5vb4qe7da	2024-05-01 09:01:00.123456+00	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"name": "ann, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	00001a2c-5b1e-4c52-9d0e-2f6f3a5c1a2c	authenticated	authenticated	bob@example.org	$2a$04$vi3HTIJ6iL.fcDXLcLoi2ed7HHCojwaI4yxmTI/bdtNOTd3XwUx5y	2024-05-01 09:01:00.123456+00	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"name": "bob, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	2924-05-01 09:01:00+00		\N	f	\N	f
00000000-0000-0000-0000-000000000000	00001a2d-5b1e-4c52-9d0e-2f6f3a5c1a2d	authenticated	authenticated	eve@example.org	\N	2024-05-01 09:01:00.123456+00	\N		\N		\N			\N	\N	{"provider": "github"}	{"name": "eve, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	00001a2e-5b1e-4c52-9d0e-2f6f3a5c1a2e	authenticated	authenticated	carl@example.org	$2a$04$OXL69W/fteK8o9ul1Ax/d.gwLcQKvd4ReKB1vYzgxCR8LoVn/t2BK	2024-05-01 09:01:00.123456+00	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"name": "carl1, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	00001a2f-5b1e-4c52-9d0e-2f6f3a5c1a2f	authenticated	authenticated	carl@example.org	$2a$04$TwQVHXMr5IPKRGgbvIXH1ubEuSMjYcoihJsk610qtYZ9zelB2fL3W	2024-05-01 09:01:00.123456+00	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"name": "carl2, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	\N		\N	t	\N	f
00000000-0000-0000-0000-000000000000	00001a30-5b1e-4c52-9d0e-2f6f3a5c1a30	authenticated	authenticated	dan@example.org	$2a$04$LWL3Zk0716AIIH1NYICECexgJKDJZUsDVAz967h/VCgbdMr4l4tya	\N	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"name": "dan, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	00001a31-5b1e-4c52-9d0e-2f6f3a5c1a31	authenticated	authenticated	fay@example.org	$2a$04$FpR5xrgCksXRzEzeYpjibOfxSvuImgRoIZmwCCLvUbWIG68QTyCDm	2024-05-01 09:01:00.123456+00	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"name": "fay, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	\N		\N	f	2024-06-01 00:00:00+00	f
00000000-0000-0000-0000-000000000000	00001a32-5b1e-4c52-9d0e-2f6f3a5c1a32	authenticated	authenticated	gus@example.org	$2a$04$ugRnXZT.78GqO1hdwVRLuOYbzAEVlabRyLKP3JOcjb0GtNZjqsWmi	2024-05-01 09:01:00.123456+00	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"name": "gus, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	2023-01-01 00:00:00+00		\N	f	\N	f
00000000-0000-0000-0000-000000000000	00001a32-5b1e-4c52-9d0e-2f6f3a5c1a30	authenticated	authenticated	\N	\N	\N	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"name": "gus, \\"the tester\\"\\nof\\ttabs"}	\N	2024-05-01 09:01:00.122987+00	2024-05-01 09:01:00.2+00	\N	\N			\N		0	\N		\N	f	\N	t
\.


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: auth; Owner: -
--

