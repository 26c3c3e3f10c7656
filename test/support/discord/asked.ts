import { answerTo, failure, type Interaction } from './interactions.ts'
import type { Message } from './messages.ts'
import type { Choice } from './validate/options.ts'
import type { World } from './world.ts'

/** Something that a person asked of the bot, and what becomes of it. */
export interface Asked {
  readonly interaction: Interaction
  /** Resolves with the milliseconds that the bot took to acknowledge it. */
  acked(limitMs?: number): Promise<number>
  /** The answer, once it is more than "is thinking…": a message, or the tapped message in its new form. */
  answer(limitMs?: number): Promise<Message>
  /** The same as it is now; throws when the bot cannot have heard it. */
  answered(): Message | null
  followUps(): readonly Message[]
  /** What autocomplete offers. */
  choices(limitMs?: number): Promise<readonly Choice[]>
  /** "The application did not respond", or the like; null when all is well or may still become so. */
  failure(): string | null
}

export function askedFor(world: World, interaction: Interaction): Asked {
  const { news } = world
  const { what, user } = interaction
  const line = `${user.name}: ${what}`
  const unlessFailed = <T>(found: T | null): T | null => {
    if (found !== null || interaction.delivered) return found
    throw new Error(`${line}: ${failure(world, interaction)} (no session of the bot was there)`)
  }
  return {
    interaction,
    acked: async (limitMs) => {
      const at = await news.until(() => unlessFailed(interaction.ackedAt), `${line}: acknowledged`, limitMs)
      return at - interaction.at
    },
    answer: (limitMs) => news.until(() => unlessFailed(answerTo(interaction)), `${line}: answered`, limitMs),
    answered: () => unlessFailed(answerTo(interaction)),
    followUps: () => interaction.followUps,
    choices: (limitMs) => news.until(() => unlessFailed(interaction.choices), `${line}: choices`, limitMs),
    failure: () => failure(world, interaction),
  }
}
