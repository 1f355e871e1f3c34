// The library that reads PDFs. The build puts it into a file of its own (dist/pdf-library.cjs), since
// only one thread needs it, and seldom.
import './pdf-surroundings.ts';
// @ts-expect-error The package has no types for it, and only the library itself uses it.
import * as worker from 'pdfjs-dist/legacy/build/pdf.worker.mjs';

// Otherwise the library would look for a file with this code and start a worker of its own.
Object.assign(globalThis, { pdfjsWorker: worker });

export { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
export { CMapTables } from './pdf-cmaps.ts';
