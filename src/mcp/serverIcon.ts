/** media/icon.svg at 44 × 44, in 52 colours: twice the 22 pixels that VS Code shows it at. */
const png = [
  'iVBORw0KGgoAAAANSUhEUgAAACwAAAAsCAMAAAApWqozAAAAnFBMVEUAAAAYMEgYMEgYMEgYMEgYMEgwSGBIYHhIYJAwMGB4kKiQqMBgeJBISH',
  'hgYJAwMEhgYEiokGDAqHjwwHiQeGDw2Hj/2HjAqGB4kMD/wHhISEj/wGDwwGDYqGB4eKjwqGBISDBgSDBIMDAYGDAwMDAYMDDAkEh4YEjwqEio',
  'eEjYkEh4qMB4eHjAqJCQkHgYGDAYGDBISGAYGDAYGDDk/YsPAAAANHRSTlMAM2aZ/8z///////////////////////////////////////////',
  '///////////8yZ/zNmwm2PkQAAAbVJREFUeNq11dty2jAUBVCHECnoGAwhJdiFimRzcS6NHfj/f+tIR1Et4dp+6TYzFprF1hlelCQmN6PbcUdu',
  'RzeJT6d03tHReFBGdoTxwJhR7obiu7ZiIeX9vZSipTqaeCIVuSg5iacO/gmRUpBUhP9Ic2TJjamcTuWMT5gGQ8d2lvmJ7DGyAZLQqmBMoUL9F4',
  'uoxheIazxps6yzK6yIZryaLx6Wy4fFnL+lRCrGwu89/lhxHn2LiHDqtrKnlc9T5mrSCBOtuTfP85V98tx1r4lC/P3zYpk3siyah3o8cxuLn5vm',
  's3BFMsCpO2q7CbJ1I6YBVoyzTZSM8a82PGeid8+aV3PGqg0XbF+AF9ZFH97uAWC/bcEHG0VkXoW3Thdml0ixusJ6Dzzbz173YK2PwOkIHE/AUe',
  'tuXJan19Jg/XoqdRlhAAdAEZl3UdoYzKviAIBIGQOL4TBaMBy26cG7Drz73/gNePsnFvKdSEopP35zPj/d4sPsEr1L8Y0zGpDM4ArAut+uAVRJ',
  'becQX6IjX8JOUSdnDM454eohqc0NNBTbq+0yzF74IjxX/bQ6+yv2Unf6qubaP+yFiR/DRwobAAAAAElFTkSuQmCC',
].join('');

/**
 * What clients show beside the server's name (MCP 2025-11-25, Icons). VS Code draws PNG, JPEG, GIF and WebP, no SVG, and of a
 * local server only data and file addresses. It stands in the server's answer to `initialize`, which no model is shown; the
 * tools have none, which each would pay for in the list of tools.
 */
export const serverIcon = { src: `data:image/png;base64,${png}`, mimeType: 'image/png', sizes: ['44x44'] };
