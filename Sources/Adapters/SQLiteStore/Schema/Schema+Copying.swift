extension Schema {
  /// Adds the file in which the key of stamps was made, so that a copy of the database's file is noticed.
  static let copying = """
    ALTER TABLE installation ADD COLUMN made_in TEXT;        -- its inode and time of birth; NULL: not known, so the next opening notes it
    """
}
