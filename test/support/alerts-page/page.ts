import { existsSync } from 'node:fs'

import Database from 'better-sqlite3'
import { expect } from 'vitest'

import type { Reason } from '../../../src/message/reason.ts'
import { reasonFrom } from '../../../src/stores/sqlite/columns.ts'
import type { BotUnderTest } from '../bot.ts'
import { closing } from './closing.ts'
import { crash } from './crash.ts'
import { delivery } from './delivery.ts'
import { distance } from './distance.ts'
import { events } from './events.ts'
import { acknowledging } from './heeding.ts'
import { helping } from './helping.ts'
import { margin } from './margin.ts'
import { market } from './market.ts'
import { money } from './money.ts'
import { orders } from './orders.ts'
import { resting } from './resting.ts'
import { type Chapter, type Section, type Shown, trading } from './scene.ts'
import { unseen } from './unseen.ts'

/** In the order in which a trader meets them. */
export const CHAPTERS: readonly Chapter[] = [
  distance,
  margin,
  money,
  acknowledging,
  helping,
  resting,
  unseen,
  events,
  market,
  orders,
  delivery,
  crash,
]

export interface Played {
  text: string
  /** The messages alone, without words of ours. */
  messages: string[]
  /** Why anything was said in it, and of which kinds. */
  reasons: Reason[]
  kinds: string[]
}

export async function played(section: Section): Promise<Played> {
  await using bot = await (section.begin?.() ?? trading(section.options))
  bot.stage.preview(closing)
  const shown = await section.play(bot)
  const messages = shown.filter((one) => typeof one === 'string')
  expect(messages, section.title).not.toEqual([])
  return { text: sectionText(section, shown), messages, ...kept(bot) }
}

function kept({ database }: BotUnderTest): Pick<Played, 'reasons' | 'kinds'> {
  if (!existsSync(database)) return { reasons: [], kinds: [] }
  const sqlite = new Database(database, { readonly: true })
  const columns = sqlite.prepare('SELECT DISTINCT reason FROM outbox').pluck().all()
  const reasons = columns.flatMap((column) => reasonFrom(column) ?? [])
  const kinds = sqlite.prepare('SELECT DISTINCT kind FROM alerts').pluck().all() as string[]
  sqlite.close()
  return { reasons, kinds }
}

function sectionText({ title, words }: Section, shown: readonly Shown[]): string {
  const blocks = shown.map((one) =>
    typeof one === 'string' ? `\`\`\`text\n${one}\n\`\`\`\n` : `${one.note}\n`,
  )
  return [`### ${title}\n`, ...(words === '' ? [] : [`${words}\n`]), ...blocks].join('\n')
}
