import { systemClock } from '../../../src/runtime/clock.ts'
import openStore from '../../../src/stores/journal/index.ts'
import { testStore } from '../../contracts/store.ts'
import { newCell } from '../../support/postgres/shared.ts'
import { temporaryFolder } from '../../support/store.ts'

testStore('A journal', async () => {
  const url = await newCell(temporaryFolder())
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
