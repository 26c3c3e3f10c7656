import { errorText } from '../lib/text/error-text.ts'
import { type Text, words } from '../message/message.ts'
import type { TestMessage, View } from '../command/context.ts'
import type { DeliveryReport } from '../message/delivery.ts'
import { UNPROVEN } from '../people/chat.ts'
import { type Clock, within } from '../runtime/clock.ts'

/** How long a command waits for its test message. After that, its answer says that the test is under way. */
const TEST_PATIENCE_MS = 5_000

/** Calls `hear` after every send; returns how to stop that. */
export type ListenToDeliveries = (hear: (report: DeliveryReport) => void) => () => void

/** Hands the outbox's delivery reports to the tests that wait for one. */
export function createDeliveryReports(): {
  delivered(report: DeliveryReport): void
  listen: ListenToDeliveries
} {
  const waiting = new Set<(report: DeliveryReport) => void>()
  return {
    delivered(report) {
      for (const hear of waiting) hear(report)
    },
    listen(hear) {
      waiting.add(hear)
      return () => void waiting.delete(hear)
    },
  }
}

/** Sends a test message to a chat, and returns the outcome of the first message that was tried there. */
export async function sendTest(
  { listen, clock, view }: { listen: ListenToDeliveries; clock: Clock; view: Pick<View, 'chat'> },
  chatId: number,
  /** Returns why no test was requested; null if it was. */
  ask: () => Promise<Text | null>,
): Promise<TestMessage> {
  const ended = Promise.withResolvers<TestMessage>()
  let delayedBecause: string | null = null
  const stopListening = listen((report) => {
    if (report.chatId !== chatId) return
    const { outcome, isGivenUp, why } = report
    if (outcome === 'sent') ended.resolve({ is: 'sent' })
    else if (outcome === 'gone' || isGivenUp) ended.resolve({ is: 'refused', why: why ?? '' })
    else delayedBecause = why
  })
  try {
    return await within(clock, TEST_PATIENCE_MS, undefined, async () => {
      const refused = await ask().catch(unkept)
      return refused === null ? ended.promise : { is: 'refused', why: refused }
    })
  } catch {
    // The chat may have been tried a moment ago, and is not tried again at once.
    const why = view.chat(chatId)?.brokenBecause ?? null
    if (why !== null && why !== UNPROVEN) return { is: 'refused', why }
    return { is: 'waits', why: delayedBecause }
  } finally {
    stopListening()
  }
}

/** Requests a drill for all of these chats, and waits a moment for its outcome in each. */
export async function runDrill(
  world: Parameters<typeof sendTest>[0] & { tryAgain(chatId: number): void },
  chatIds: readonly number[],
  ask: () => Promise<Text | null>,
): Promise<Text | null> {
  let asked: Promise<Text | null> | null = null
  async function once(): Promise<Text | null> {
    const refused = await ask()
    for (const chatId of chatIds) world.tryAgain(chatId)
    return refused
  }
  await Promise.all(chatIds.map((chatId) => sendTest(world, chatId, () => (asked ??= once()))))
  return (asked ??= once())
}

/** A test that was not stored is not sent. */
function unkept(error: unknown): Text {
  return words('dialog.test-unsaved', { why: errorText(error) })
}
