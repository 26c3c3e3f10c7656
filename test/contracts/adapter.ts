import { describe } from 'vitest'

import { testAnswerFaults } from './adapter/answer-faults.ts'
import { testAnswers } from './adapter/answers.ts'
import { testDeliver } from './adapter/deliver.ts'
import { testFaults } from './adapter/faults.ts'
import { testInbound } from './adapter/inbound.ts'
import type { Platform } from './adapter/platform.ts'
import { testRendering } from './adapter/rendering.ts'
import { testRestart } from './adapter/restart.ts'

export { lacks } from './adapter/platform.ts'
export type { Absence, Faults, Group, Maybe, Platform, Seen, Where } from './adapter/platform.ts'

/**
 * What every chat platform must do, whatever is behind it. `open` makes a world of its own for each test. What a
 * platform does not have it names with a reason (`lacks`), and the tests of that are skipped with that reason.
 */
export function testAdapter(name: string, open: () => Promise<Platform>): void {
  describe(`${name} is a chat platform`, () => {
    testInbound(open)
    testAnswers(open)
    testAnswerFaults(open)
    testDeliver(open)
    testRendering(open)
    testFaults(open)
    testRestart(open)
  })
}
