import { createDice } from '../seed.ts'
import { actsOf } from './acts.ts'
import { GROUP, HOME, startLife } from './life.ts'

/** What happened in one history, and what was wrong with what was said of it. */
export interface Told {
  wrong: string[]
  /** Everything that was said, with the moment at which it was; and what was done. */
  said: string[]
  done: string[]
  figures: Record<string, number>
}

/**
 * A life in which chance decides. With `twin` nothing but that is different: at this poll somebody restarts the bot, and
 * it sees at once again what it saw last; or nobody does.
 */
export async function history(
  seed: number,
  polls: number,
  twin: { at: number; restarts: boolean } | null = null,
): Promise<Told> {
  const dice = createDice(seed)
  const life = await startLife(dice, polls)
  const { venue, witness, running, said, done, figures, left } = life
  const acts = actsOf(life, twin !== null)

  venue.trades(dice)
  venue.trades(dice)
  for (let number = 0; number < polls; number++) {
    if (twin?.at === number) {
      for (let whole = 0; whole < 3; whole++) await life.poll(true)
      if (twin.restarts) await life.restarts(0, 0)
      await life.look(true)
    }
    for (const [share, act] of acts) if (dice.often(share)) await act()
    await life.poll()
  }
  // All is well in the end, and whoever was told of anything has heard so.
  venue.calms()
  for (const what of Object.keys(left)) left[what] = 0
  life.sound()
  for (const chatId of [HOME, GROUP]) {
    if (await life.asks({ is: 'quiet', chatIds: [chatId], quiet: null })) witness.quiet(chatId, null)
    if (await life.asks({ is: 'unmute', chatIds: [chatId] })) witness.unmuted(chatId)
  }
  life.listen()
  for (let whole = 0; whole < 4; whole++) await life.poll(true)
  witness.ends(running.engine.memory.monitors.states.size)
  return { wrong: witness.wrong, said, done, figures }
}
