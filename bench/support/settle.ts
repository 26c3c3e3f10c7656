import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { type Crowd, settle } from './crowd.ts'

// A database with a crowd in it. Arguments: its file, the crowd as JSON, the venue that it belongs to.

const [, , file = '', crowd = '', venue = 'bench'] = process.argv
const store = openSqlite(file, venue)
await settle(store, JSON.parse(crowd) as Crowd)
await store.admin.close()
