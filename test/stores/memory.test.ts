import { testStore } from '../contracts/store.ts'
import { memoryStore } from '../support/memory-store.ts'

testStore('a store in memory', async () => {
  const store = memoryStore()
  return { store, reopen: async () => store, close: async () => {} }
})
