import { type Kind, USUAL_HOLD_MS } from '../../alert/alert.ts'
import type { Form } from '../../chat/declaration.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { item, type Message, message, say, words } from '../../message/message.ts'
import { ruleLine, scopeText, whenText } from '../shared/rule-lines.ts'
import { argumentsOf, type Given, isNamed, NO_ACCOUNTS, wordsFor } from './alert.ts'
import { backtestLines } from './backtest-lines.ts'

/** Backtests a rule without setting it: one form per kind that has levels. */
export function tryCommand(kinds: readonly Kind[], absent: readonly Kind[] = []): Command {
  const levels = kinds.filter(({ is }) => is === 'level')
  return {
    name: 'try',
    aliases: [],
    summary: words('menu.try'),
    who: 'person',
    audience: 'person',
    reach: 'assistant',
    forms: levels.map((kind) => ({
      name: kind.name,
      aliases: kind.aliases,
      cues: kind.cues,
      summary: words('try.form', { when: kind.summary }),
      examples: [`/try ${kind.example}`],
      args: argumentsOf(kind),
    })),
    absent: new Map([
      ...wordsFor(
        kinds.filter(({ is }) => is === 'event'),
        words('try.no-events'),
      ),
      ...wordsFor(absent, NO_ACCOUNTS),
    ]),
    run: (context, form, args) => lookUp(context, levels, form, args as Given),
  }
}

async function lookUp(context: Context, kinds: readonly Kind[], form: Form, given: Given): Promise<Message> {
  const { person, chat, view, past, reader } = context
  const kind = kinds.find(({ name }) => name === form.name)
  if (!kind) throw new Error(`no kind ${form.name}`)
  const { market: marketId, wallet, for: asked, ...params } = given
  const holdMs = asked ?? (kind.is === 'level' ? kind.holdMs : USUAL_HOLD_MS)
  if (kind.on !== 'market' && wallet === undefined && view.watches(person.id).length === 0)
    return say(words('alert.no-wallet'))
  const market = marketId === undefined ? undefined : view.listed().get(marketId)?.value
  const rule = {
    ...{ personId: person.id, kind: kind.name, params, wallet: wallet ?? null, holdMs },
    // In a chat that others read a rule speaks of the wallet that it names alone; here it is asked for one person.
    chatId: chat?.private ? chat.id : NOWHERE,
    market: market ? { id: market.id, symbol: market.symbol } : null,
  }
  const would = await past.backtest(rule)
  if (would === 'busy') return say(words('try.busy'))
  if (!would) throw new Error(`${kind.name} cannot be looked up`)
  const asRule = { ...rule, id: 0, identity: kind.identity(params), armedByWatch: false }
  const line = ruleLine(asRule, kinds, view)
  return message(
    [
      item('plain', words('try.title', { when: whenText(asRule, kind) }), [
        ...(kind.on === 'market' && isNamed(rule) ? [] : [scopeText(asRule, view.named(person.id), kind)]),
        ...backtestLines(would, reader.now, { named: isNamed(rule) }),
        words('try.not-set'),
      ]),
    ],
    line === null ? {} : { buttons: [{ label: words('try.button.set'), line, replace: true }] },
  )
}

/** No chat has this number. */
const NOWHERE = 0
