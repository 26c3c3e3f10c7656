import { expect, test } from 'vitest'

import { sendTest } from '../../src/dialog/test-message.ts'
import { words } from '../../src/message/message.ts'
import { handClock } from '../support/clock.ts'

test('a test that could not be kept is refused with why, and is not said to be on its way', async () => {
  const world = { clock: handClock(), view: { chat: () => null }, listen: () => () => {} }
  const proof = sendTest(world, 1, () => Promise.reject(new Error('database or disk is full')))
  expect(await proof).toEqual({
    is: 'refused',
    why: words('dialog.test-unsaved', { why: 'database or disk is full' }),
  })
})
