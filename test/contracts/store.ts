import { describe } from 'vitest'

import type { Store } from '../../src/store/store.ts'
import { testStoreLate } from '../support/store-late.ts'
import { testStoreMemory } from '../support/store-memory.ts'
import { testStoreNotes } from '../support/store-notes.ts'
import { testStoreOutbox } from '../support/store-outbox.ts'

/** A store as the suite needs it: new, and able to be opened again on what it wrote. */
export interface StoreUnderTest {
  store: Store
  /** Another process opens what this one has committed, after it was closed or has died. */
  reopen(): Promise<Store>
  close(): Promise<void>
}

/** What every store must do, whatever is behind it. */
export function testStore(name: string, open: () => Promise<StoreUnderTest>): void {
  const withStore = async (use: (opened: StoreUnderTest) => Promise<void>) => {
    const opened = await open()
    try {
      await use(opened)
    } finally {
      await opened.close()
    }
  }

  describe(`${name} remembers`, () => {
    testStoreMemory(withStore)
  })
  describe(`${name} keeps what was done about alerts`, () => {
    testStoreNotes(withStore)
  })
  describe(`${name} makes one of what is late`, () => {
    testStoreLate(withStore)
  })
  describe(`${name} keeps the outbox`, () => {
    testStoreOutbox(withStore)
  })
}

export type WithStore = (use: (opened: StoreUnderTest) => Promise<void>) => Promise<void>
