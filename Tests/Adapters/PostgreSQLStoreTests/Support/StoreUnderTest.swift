import PostgreSQLStore
import TestDoubles

extension PostgreSQLStore: StoreUnderTest {}
