/** The style sheet of every page, exactly as it stands between `<style>` and `</style>`. */
export const pageStyle = ':root { color-scheme: light dark }';
