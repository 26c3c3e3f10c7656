import { expect, test } from 'vitest'

import { say } from '../../../src/message/message.ts'
import { createMessageCache } from '../../../src/stores/sqlite/waiting/new-rows.ts'

const json = JSON.stringify(say('one'))

test('a message that is taken at once is not read out of its JSON', () => {
  const fresh = createMessageCache()
  const message = say('one')
  fresh.put(1, json, message)
  expect(fresh.message(1, json)).toBe(message)
})

test('a message that nobody ever takes is not kept in memory for as long as all others are taken', () => {
  const fresh = createMessageCache()
  const merged = say('one')
  fresh.put(1, json, merged)
  for (let rowId = 2; rowId <= 1_001; rowId++) {
    fresh.put(rowId, json, say('one'))
    fresh.message(rowId, json)
  }
  expect(fresh.message(1, json)).not.toBe(merged)
  expect(fresh.message(1, json)).toEqual(merged)
})
