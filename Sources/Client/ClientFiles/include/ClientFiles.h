// regd's clients in other languages. Each is a file of its language in this directory, which becomes part of the program when this
// module is compiled.
//
// Two comments mark each region of a file that depends on regd's methods. In the region, the file has sample code, so that the file is
// valid as it is, and editors, formatters, type checkers and tests can read it. ClientGenerator replaces the regions and their marks:
//
//     # regd: begin methods
//     …
//     # regd: end
const char *client_file_go(void);
const char *client_file_php(void);
const char *client_file_python(void);
const char *client_file_typescript(void);
