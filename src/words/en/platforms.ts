export default {
  // Marks of a message that a platform adds.
  'platform.repeat': '(possible repeat)',
  'platform.also': 'and {n} more',
  'platform.more': '… and {n} more that don’t fit here',
  'platform.or-say': 'or say {line}',
  'platform.in-chat': 'in our chat: {lines}',
  'platform.failed': 'That didn’t work, and the fault is mine. Please try again.',

  // The page behind a button outside of a chat.
  'page.not-found': 'Not found.',
  'page.too-many': 'Too many tries. Wait a minute.',
  'page.expired': 'This button is too old. In our chat, /alerts shows what is on.',
  'page.nobody': 'Nobody gets messages here any more.',
  'page.busy': 'Too many at once. Wait a minute, please.',
  'page.away': 'Perch isn’t ready. Press again in a moment.',
  'page.elsewhere': 'This is a Perch button. It works in the notification that has it.',
  'page.post-only': 'Only POST works here.',
  'page.chat-only': 'Do that in our chat.',
  'page.done-before': 'Done before: a button works once.',

  // The page in a browser, before somebody has signed in, and what it refuses.
  'web.sign-in': 'Say /page to Perch in your chat and open the link that it sends.',
  'web.code-over':
    'This link was used before, or it is older than ten minutes. Say /page again for a new one.',
  'web.no-proof': 'I could not check who you are. Close this and open it again from our chat.',
  'web.unknown': 'I don’t know you yet. Say /start to me in our chat first.',
  'web.shared': 'Your positions are private: open the page from our private chat.',
  'web.too-many': 'Too many tries. Wait a minute.',
  'web.other-site': 'Only the page itself may ask that.',
  'web.other-host': 'This address isn’t mine. PUBLIC_URL says where people reach the page.',
  'web.no-json': 'Only JSON is read here.',
  'web.too-large': 'That is too much.',
  'web.bad-request': 'I can’t read that.',

  'ntfy.topic': 'a topic, or the address of one',
  'ntfy.elsewhere': 'topics of {host} are at {server}/',
  'pushover.key': 'your user key',
  'push.browser': 'a browser that you name on its page (/page)',
  'webhook.address': 'an https address',

  'discord.old-button': 'I no longer know this button.',
  'discord.old-button.menu': 'Menu',
  'discord.everyone': 'I can’t call @everyone. Choose a role that anybody may mention.',
  'discord.silent-role': 'I can’t mention the role {role}, so nobody would hear it.',
  'discord.silent-role.mend':
    'Allow anyone to mention it (Server Settings, Roles), or give me Mention Everyone here. Then try again.',
  'discord.deaf': 'I can’t hear anybody on Discord: {why}',
  'discord.deaf.mend': 'Alerts still go out. Take me out of some servers.',
  'discord.used-up': 'I can’t reconnect to Discord for {age}',
  'discord.used-up.why':
    'All {total} connections that Discord allows a day are used. Something cuts or restarts me too often.',
  'discord.used-up.still': 'Alerts still go out. Commands and buttons work again after that.',
  'discord.shards-down': 'Discord: {n} of {count} shards down since {time}',
  'discord.shards-down.which': '{shards}: {why}',
  'discord.shards-down.still':
    'Alerts still go out. Commands and buttons don’t work in the servers of {n:this shard|these shards}.',
  'discord.shards-up': 'Discord: all {count} shards are up again',

  'telegram.token': 'Telegram no longer knows my token',
  'telegram.token.mend': 'Get a new one from @BotFather and start me with it.',
  'telegram.shared-token': 'Another program takes messages with my Telegram token',
  'telegram.shared-token.mend':
    'I may miss what people write. Stop that program, or get a new token from @BotFather.',
  'telegram.unchecked': 'Telegram didn’t say who is an admin here, so I did nothing. Try again in a minute.',
  'telegram.foreign': 'I don’t take forwarded messages or other bots’ words. Please type it yourself.',
  'telegram.old-button': 'This button is too old for me. Please type the command.',
  'telegram.nameless': 'I can’t see who you are when you write as a chat. Write as yourself, please.',
  'telegram.channel':
    'I can’t see who posts in a channel. If you’re an admin of it, send me this in our private chat:',
  'telegram.left-out':
    'Telegram allows me few messages a minute here: {n} {n:question was|questions were} left out. Ask me in private.',
  'telegram.or-open': 'or open {link}',

  // Reasons are stored and logged in English; a message looks up its sentence (see `reasonKey`).
  'why.unproven': 'it has taken nothing yet',
  'why.no-chat': 'there is no such chat',
  'why.channel-gone': 'the channel does not exist any more',
  'why.server-gone': 'the server does not exist any more',
  'why.user-gone': 'the user does not exist any more',
  'why.removed': 'Perch was removed there, or may not see the channel',
  'why.direct-closed':
    'direct messages from Perch are closed (open them in Discord: the server’s menu, Privacy Settings)',
  'why.no-posting': 'messages cannot be posted in such a channel',
  'why.no-rights': 'Perch may not post there: it needs View Channel, Send Messages and Embed Links',
  'why.user-unwritable': 'the user cannot be written to',
  'why.no-common-server': 'the user shares no server with Perch any more',
  'why.locked': 'the thread is locked',
  'why.browser-gone': 'that browser takes no notifications any more (switch them on again on its page)',
  'why.push-key':
    'the push service does not take the key of Perch (switch notifications off and on; operators: PUSH_CONTACT, clock)',
} as const
