import { describe } from 'vitest'

import type { Store } from '../../src/store/store.ts'
import { testStoreAdmin } from './store/admin.ts'
import { testDepartures } from './store/departures.ts'
import { testHistoryStore } from './store/history.ts'
import { testMemoryStore } from './store/memory.ts'
import { testAckNotes } from './store/notes.ts'
import { testQueue } from './store/outbox.ts'
import { testOverdue } from './store/overdue.ts'
import { testPictures } from './store/pictures.ts'
import { testRecordingStore } from './store/recording.ts'
import { testWithdrawals } from './store/withdrawals.ts'

/** A store as the suites need it: new, and able to be opened again on what it wrote. */
export interface StoreUnderTest {
  store: Store
  /** Another process opens what this one has committed, after it was closed or has died. */
  reopen(): Promise<Store>
  close(): Promise<void>
}

export type WithStore = (use: (opened: StoreUnderTest) => Promise<void>) => Promise<void>

/** What every store must do, a suite for each of its five ports. A new store passes one after the other. */
export function testStore(name: string, open: () => Promise<StoreUnderTest>): void {
  const withStore: WithStore = async (use) => {
    const opened = await open()
    try {
      await use(opened)
    } finally {
      await opened.close()
    }
  }

  describe(`${name}, the working set`, () => {
    testMemoryStore(withStore)
  })
  describe(`${name}, the outbox`, () => {
    testQueue(withStore)
    testDepartures(withStore)
    describe('with what was done about alerts', () => {
      testAckNotes(withStore)
    })
    describe('with messages that are overdue', () => {
      testOverdue(withStore)
    })
    describe('with a picture that waits', () => {
      testPictures(withStore)
    })
    describe('with messages that have lost their ground', () => {
      testWithdrawals(withStore)
    })
  })
  describe(`${name}, the history`, () => {
    testHistoryStore(withStore)
  })
  describe(`${name}, the recording`, () => {
    testRecordingStore(withStore)
  })
  describe(`${name}, for the operator`, () => {
    testStoreAdmin(withStore)
  })
}
