import { describe } from 'vitest'

import { testAnswerFaults } from './adapter/answer-faults.ts'
import { testAnswers } from './adapter/answers.ts'
import { testDeliver, testDeliverToGroup } from './adapter/deliver.ts'
import { testFaults, testLockouts } from './adapter/faults.ts'
import { testInbound } from './adapter/inbound.ts'
import type { ConversationPlatform, NotifierPlatform } from './adapter/platform.ts'
import { testQuestions } from './adapter/questions.ts'
import { testRenderedAnswers, testRendering } from './adapter/rendering.ts'
import { testRestart, testRestartedTalk } from './adapter/restart.ts'
import { conversationSuite, notifierSuite, type Session, type Suite } from './adapter/session.ts'

export { lacks } from './adapter/platform.ts'
export type {
  ConversationPlatform,
  Faults,
  Group,
  Maybe,
  NotifierPlatform,
  Platform,
  Seen,
  Where,
} from './adapter/platform.ts'

/** Tests of a platform on which people are only told. `open` makes a world of its own for each test. */
export async function testNotifier(name: string, open: () => Promise<NotifierPlatform>): Promise<void> {
  const suite = await notifierSuite(open)
  describe(`${name} is a notifier`, () => {
    testTelling(suite)
  })
}

/**
 * Tests of a platform on which people speak; they are told things there as well. A platform names each ability that it
 * lacks, with a reason (`lacks`), and only those of the others are tested.
 */
export async function testConversation(
  name: string,
  open: () => Promise<ConversationPlatform>,
): Promise<void> {
  const suite = await conversationSuite(open)
  describe(`${name} is a conversation`, () => {
    testTelling(suite)
    testInbound(suite)
    testAnswers(suite)
    testQuestions(suite)
    testAnswerFaults(suite)
    testDeliverToGroup(suite)
    testRenderedAnswers(suite)
    testLockouts(suite)
    testRestartedTalk(suite)
  })
}

/** The part of both. */
function testTelling(suite: Suite<Session>): void {
  testDeliver(suite)
  testRendering(suite)
  testFaults(suite)
  testRestart(suite)
}
