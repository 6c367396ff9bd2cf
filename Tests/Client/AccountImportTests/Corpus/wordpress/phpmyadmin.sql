-- phpMyAdmin SQL Dump
-- version 5.2.1
-- https://www.phpmyadmin.net/
--
-- Host: localhost
-- Generation Time: Jun 01, 2024 at 09:00 AM

SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
START TRANSACTION;

--
-- Dumping data for table `blog_comments`
--

INSERT INTO `blog_comments` (`id`, `text`) VALUES
(1, 'INSERT INTO `blog_users` VALUES (9,\'x\')'),
(2, NULL);

--
-- Dumping data for table `blog_users`
--

INSERT INTO `blog_users` (`ID`, `user_login`, `user_pass`, `user_nicename`, `user_email`, `user_registered`, `user_status`, `spam`, `deleted`) VALUES
(1, 'ann', '$wp$2y$04$abcdefghijklmnopqrstuunSKXUYEFi/IVrjAxvL0uNT.JEZFivFi', 'it''s (ann), "1"', 'ann@example.org', '2024-05-01 09:01:00', 0, 0, 0),
(2, 'bob', '$P$5IQRaTwmfswMRX891jqZ7YdlOVYevw0', 'bob', 'bob@example.org', '2024-05-01 09:01:00', 0, 1, 0),
(3, 'carl', '$P$5IQRaTwmfswMRX891jqZ7YdlOVYevw0', _binary 'carl', 'carl@example.org', '2024-05-01 09:01:00', 0, b'0', b'1'),
(4, 'dan', NULL, 'NULL', 'dan@example.org', '0000-00-00 00:00:00', 0, 0, 0);
COMMIT;
