import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { type Crowd, INSTANT, settle } from './crowd.ts'

// A database with a crowd in it, of which everybody can say something. Arguments: its file, the crowd as JSON.

const [, , file = '', json = ''] = process.argv
const crowd = JSON.parse(json) as Crowd
const store = openSqlite(file, 'bench')
await settle(store, crowd)
const { persons } = await store.memory.load()
await store.memory.commit(
  [...persons].map((person) => ({
    is: 'person',
    person: { ...person, identities: [{ platform: INSTANT, user: `u${person.id}` }] },
  })),
)
await store.admin.close()
