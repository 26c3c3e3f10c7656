import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { item, type Item, message, type Message, words } from '../../message/message.ts'
import type { Session } from '../../people/session.ts'

/** Lists the open pages of a person, and ends them. Also a page may: who has lost one ends it from another. */
export default command({
  name: 'pages',
  summary: words('menu.pages'),
  examples: ['/pages', '/pages end S3', '/pages end all'],
  args: z.object({
    what: argument.choice(['end'], words('pages.what.asks')).optional(),
    which: argument.text(words('pages.which.asks')).optional(),
  }),
  async run(context, { what, which }) {
    const { person, change } = context
    const open = pagesOf(context)
    // Its buttons ask which one.
    if (what === undefined || which === undefined || open.length === 0) return list(context)
    const meant = which.trim().toLowerCase() === 'all' ? open : open.filter((one) => isCalled(one, which))
    if (meant.length === 0) return list(context, item('plain', words('pages.unknown', { which })))
    await change({ is: 'end-sessions', personId: person.id, ids: meant.map(({ id }) => id) })
    return list(context, item('plain', words('pages.ended', { n: meant.length })))
  },
})

function pagesOf({ view, person }: Context): readonly Session[] {
  return view.sessions(person.id).filter(({ is }) => is === 'page')
}

function isCalled({ id }: Session, typed: string): boolean {
  return typed.trim().toLowerCase().replace(/^s/, '') === String(id)
}

function list(context: Context, done?: Item): Message {
  const open = pagesOf(context)
  const assistants = context.view.sessions(context.person.id).length - open.length
  const head =
    open.length === 0
      ? item('plain', words('pages.none'))
      : item('plain', words('pages.title', { n: open.length }))
  const end = (which: string, label = words('pages.button.end', { which })) => ({
    ...{ label, line: `/pages end ${which}`, replace: true },
  })
  return message(
    [
      ...(done ? [done] : []),
      ...(done && open.length === 0 ? [] : [head]),
      ...open.map((one) => sessionItem(context, one)),
    ],
    {
      buttons: [
        ...open.map(({ id }) => end(`S${id}`)),
        ...(open.length > 1 ? [end('all', words('pages.button.end-all'))] : []),
      ],
      footnote: assistants === 0 ? null : words('pages.assistants', { n: assistants }),
    },
  )
}

/** `S3 Firefox on Android`, with when and how it was opened. */
function sessionItem({ from }: Context, session: Session): Item {
  const { id, name, since, until, via, user } = session
  const here = from.by.user === user ? words('pages.here') : ''
  const opened = { since: { time: since, as: 'clock' }, until: { time: until, as: 'clock' } } as const
  const line =
    via === 'code' ? words('pages.by-code', opened) : words('pages.by', { ...opened, platform: via })
  return item('plain', words('pages.one', { id: `S${id}`, name, here }), [line])
}
