export default {
  // When somebody gets an alert that nobody acknowledges.
  'escalation.at-once': 'at once',
  'escalation.after': 'after {minutes} min',
  'escalation.unanswered': 'if nobody acknowledges for {minutes} min',
  'escalation.button.at-once': 'At once',
  'escalation.button.after': '{minutes} min',

  // Why a critical alert may reach nobody.
  'trouble.no-chat': 'I can’t alert you: I have no private chat with you. Write to me there.',
  'trouble.handover': 'Handed over to {name}, but I can’t reach them: {why}.',
  'trouble.unwritable': 'I can’t write to you on {platform}',
  'trouble.covered': '{wrong}. {platform} gets your alerts instead.',
  'trouble.late': '{wrong}. {platform} gets critical alerts a minute late; the rest waits.',
  'trouble.next': '{wrong}. Critical alerts go to {name} {when}, and to nobody before. /link',
  'trouble.alone': '{wrong}, and you have no backup. /link adds a platform.',
  'trouble.backup-late':
    'If {platform} is down, critical alerts go to {name} {when}, and to nobody before. Name a backup chat: /settings fallback',
  'trouble.no-backup': 'No backup: if {platform} is down, critical alerts can’t reach you. /link',
  'trouble.step': '{name} ({when}): {wrong}.',
  'trouble.one-platform': 'Everything goes through {platform}. If it’s down, nobody is alerted. /link',

  'wrong.not-set-up': '{platform} isn’t set up here',
  'wrong.unwritable': 'I can’t write there: {why}',
  'wrong.replaced': '{wrong}; {platform} takes its place',
  'wrong.no-chat': 'I have no private chat with them',
  'wrong.not-backup': 'no longer your backup. To remove: /escalate @{name} none',

  'muted.all': 'Everything',
  'muted.wallet': 'Alerts for {wallet}',
  'muted.market': '{market} alerts',
  'muted.kind': '{kind} alerts',

  'people.stranger':
    'This Perch is private. Ask the person who runs it for an invitation, then send me /start and the code.',
  'people.full':
    'This Perch is full. Ask the person who runs it for an invitation, then send me /start and the code.',
  'people.not-set-up': 'This group isn’t set up for alerts. An admin can start with /channel bind.',
  'people.no-chat': 'I have no private chat with you yet. Write to me there first.',

  'operator.slow': 'Wallets are read only every {every}, not every {wished}',
  'operator.slow.why': 'The venue limits how often I may ask, so I see changes in a wallet that late.',
  'operator.slow.prices': 'Prices stay live, and wallets near danger go first. /status full has the limits.',
  'operator.in-time': 'Wallets are read every {wished} again',
  'operator.capacity': 'My requests are enough for about {served} wallets; {watched} are watched',
  'operator.capacity.why': 'From now on, a wallet is read less often than every {wished}.',
  'operator.backup': 'No backup could be made: {why}',
  'operator.backup.again': 'I try again every hour, and stay silent about it until one was made.',
  'operator.heartbeat': 'Your dead man’s switch ({host}) takes my pings again',
  'operator.no-heartbeat': 'Your dead man’s switch ({host}) doesn’t take my pings: {why}',
  'operator.no-heartbeat.mend':
    'Check HEARTBEAT_URL. Until then it may ring for no reason, or stay quiet when I’m gone.',
  'operator.wal': 'The database log (-wal) has grown to {size} MB',
  'operator.wal.mend':
    'Another program holds the database open, such as a copy or a shell. Close it before the disk fills.',
  'operator.paused': '{platform} asks me to send nothing there for {age}',
  'operator.paused.again': 'I try again every few minutes. Waiting messages go out as soon as they may.',
  'operator.chat-paused': '{platform} asks me to wait {age} before I write to {name} again',
  'operator.chat-paused.again': 'I try every {age}.',
  'operator.private-chat': 'a private chat',
  'operator.resumed': '{platform} takes my messages again, after {age}',
  'operator.resumed.late': 'Messages that waited say how late they are.',

  'restored.title': 'I was restored from a backup',
  'restored.until': 'My memory ends at {until}, and I go on from there.',
  'restored.check': 'Wallets, alerts and settings are as they were then. Check whether anything is missing.',
  'restored.again': 'I may repeat messages that you got since.',
  'restored.button.wallets': 'Wallets',
  'restored.button.alerts': 'Alerts',
} as const
