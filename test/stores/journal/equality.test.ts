import { join } from 'node:path'

import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'

import { decode, encode } from '../../../src/stores/journal/encode.ts'
import { openDatabase } from '../../../src/stores/sqlite/file/database.ts'
import {
  type DraftPart,
  type Draft,
  type JournaledFile,
  openJournaled,
} from '../../../src/stores/sqlite/journaled/file.ts'
import { handClock } from '../../support/clock.ts'
import { differences } from '../../support/postgres/tables.ts'
import { createChanges, firstWrites } from '../../support/random-changes.ts'
import { budget, createDice } from '../../support/seed.ts'
import { temporaryFolder } from '../../support/store.ts'

/** The file of a leader, and one that does what the journal says. */
function pair() {
  const folder = temporaryFolder()
  const files = { leader: join(folder, 'leader.sqlite'), copy: join(folder, 'copy.sqlite') }
  const opened = openDatabase(files.leader)
  const leader = openJournaled(files.leader, handClock(), () => opened)
  const copy = openJournaled(files.copy, handClock())
  onTestFinished(() => {
    leader.close()
    copy.close()
  })
  let seq = 0
  const keep = (file: JournaledFile) => file.keep({ journal: 'j', cell: 'main', seq, epoch: 1 })

  return {
    ...{ leader, files, sqlite: opened.sqlite },
    /** Commits are appended together. Returns their values; what was refused is left out. */
    async together<T>(parts: readonly ((draft: Draft) => DraftPart<T>)[]): Promise<T[]> {
      const draft = await leader.draft()
      const texts: string[] = []
      const values: T[] = []
      for (const part of parts)
        try {
          const { value, operation } = part(draft)
          if (operation !== null) texts.push(encode(operation))
          values.push(value)
        } catch (error) {
          if (!(error instanceof Database.SqliteError)) throw error
          // The disk is full: all that the draft held is gone.
          if (!leader.isDrafting()) return []
        }
      seq += texts.length
      if (texts.length === 0) leader.drop()
      else keep(leader)
      const copied = await copy.draft()
      for (const text of texts) copied.repeat(decode(text))
      if (texts.length === 0) copy.drop()
      else keep(copy)
      return values
    },
    differences: () => differences(files.leader, files.copy),
  }
}

test('whatever the leader was asked for, its copy holds the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { together, differences: found, sqlite } = pair()
      const dice = createDice(seed)
      const changes = createChanges(seed)
      await together<unknown>([(draft) => draft.claim(['sim']), (draft) => draft.commit(firstWrites())])
      for (let count = 0; count < 120; count++) {
        const isFull = dice.often(0.2)
        const pages = Number(sqlite.pragma('page_count', { simple: true }))
        if (isFull) sqlite.pragma(`max_page_count = ${pages}`)
        const group = Array.from({ length: 1 + dice.below(3) }, () => changes.next())
        await together(
          group.map((asked) => (draft: Draft): DraftPart<unknown> => {
            if (asked.is === 'commit') {
              const done = draft.commit(asked.writes, asked.sending)
              changes.left(done.value)
              return done
            }
            if (asked.is === 'recover') return draft.recover(asked.at)
            if (asked.is === 'secret') return draft.secret()
            const done = draft.round(asked.turn)
            changes.took(done.value)
            return done
          }),
        )
        sqlite.pragma('max_page_count = 1000000')
      }
      expect(found()).toEqual([])
    }),
    { numRuns: budget(200, 8) },
  )
})
