import { Telegraf } from 'telegraf'
import type { CallbackQuery, ChatMemberUpdated, Message, Update, UserFromGetMe } from 'telegraf/types'

/** The kinds of update that we handle. */
export interface Routes {
  message(message: Message, updateId: number): Promise<void>
  tap(query: CallbackQuery, updateId: number): Promise<void>
  standing(change: ChatMemberUpdated): Promise<void>
}

/**
 * telegraf as the router: which handler an update goes to. Its loop and its transport are not used (docs/decisions.md),
 * so nothing here may call `context.reply` and its like.
 */
export function createRouter(
  {
    token,
    root,
    failed,
  }: { token: string; root: string; failed: (error: unknown, updateId: number) => void },
  routes: Routes,
): { know(me: UserFromGetMe): void; handle(update: Update): Promise<void> } {
  const telegraf = new Telegraf(token, {
    // An update takes as long as it takes; the inbox lets nobody else wait for it.
    handlerTimeout: Infinity,
    telegram: { apiRoot: root, webhookReply: false },
  })
  // The library's own handler prints the whole update, with people's names and words.
  telegraf.catch((error, { update }) => failed(error, update.update_id))
  telegraf.on('message', ({ message, update }) => routes.message(message, update.update_id))
  telegraf.on('channel_post', ({ channelPost, update }) => routes.message(channelPost, update.update_id))
  telegraf.on('callback_query', ({ callbackQuery, update }) => routes.tap(callbackQuery, update.update_id))
  telegraf.on('my_chat_member', ({ myChatMember }) => routes.standing(myChatMember))
  return {
    know: (me) => void (telegraf.botInfo = me),
    handle: (update) => telegraf.handleUpdate(update),
  }
}
