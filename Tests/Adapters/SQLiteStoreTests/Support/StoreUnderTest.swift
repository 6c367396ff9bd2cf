import SQLiteStore
import TestDoubles

extension SQLiteStore: StoreUnderTest {}
