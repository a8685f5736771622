// Starts the parts of the page. Each takes its own place in index.html.

import { setKeyDialog } from './api.js';
import { startClauseCard } from './clause_card.js';
import { startClauseTree } from './clause_tree.js';
import { startConversation } from './conversation.js';
import { keyDialog } from './dialogs.js';
import { startDocumentMap } from './document_map.js';
import { startDocumentView } from './document_view.js';
import { startKeyboard } from './keyboard.js';
import { startLibrary } from './library.js';
import { startPanes } from './panes.js';
import { startSettings } from './settings.js';

setKeyDialog(keyDialog);
startSettings();
startPanes();
startClauseTree();
startClauseCard();
startDocumentMap();
startDocumentView();
startKeyboard();
startLibrary();
startConversation();
