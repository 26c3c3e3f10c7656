import { join } from 'node:path'

import { systemClock } from '../../../src/runtime/clock.ts'
import openStore from '../../../src/stores/journal/index.ts'
import { testStore } from '../../contracts/store.ts'
import { newDatabase } from '../../support/new-database.ts'
import { newCell } from '../../support/postgres/shared.ts'
import { temporaryFolder } from '../../support/store.ts'

testStore('A journal', async () => {
  const folder = temporaryFolder()
  newDatabase(join(folder, 'perch.sqlite'))
  const url = await newCell(folder)
  const open = () => openStore({ url, venues: ['sim'], clock: systemClock() })
  let store = await open()
  return {
    store,
    async reopen() {
      await store.admin.close()
      store = await open()
      return store
    },
    close: () => store.admin.close(),
  }
})
